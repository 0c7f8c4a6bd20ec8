import { AmbiguousError, NotifyError, type ErrorDetails } from '../domain/errors.ts';
import { problemsOf } from '../domain/problems.ts';
import { networkFailure } from '../lib/http/network-failure.ts';

/** Why a notice did not leave. `{at}` is a host with its port: the rest of an address is secret. */
export const unsent = problemsOf(NotifyError, {
  'notify-unreachable':
    'notify.{channel}: {at} cannot be reached ({reason}). Check scheme, host and port of url, DNS and firewall.',
  'notify-certificate':
    'notify.{channel}: {at} has a certificate that is not trusted here ({reason}). Check the host in url; {remedy}.',
  'notify-file': 'notify.email.{key}: {reason}.',
  'notify-no-tls':
    'notify.email: {at} offers no STARTTLS. Use smtps://; startTls: false sends everything in clear.',
  'notify-login': 'notify.email: {at} refuses the login: {reason}. Check user and password in url.',
  'notify-refused': 'notify.{channel}: {at} refuses the message: {reason}.',
  'notify-redirect':
    'notify.webhook: {at} redirects (HTTP {status}), and redirects are not followed. Give the last address as url.',
});

/** A notice may have arrived. */
export const doubtful = problemsOf(AmbiguousError, {
  'notify-no-answer': 'notify.{channel}: {at} did not answer ({reason}): the message may have arrived.',
  'notify-partly': 'notify.email: {at} took the message, but not for {refused}.',
});

const CERTIFICATE: ReadonlySet<unknown> = new Set(['expired', 'notYetValid', 'otherName', 'untrusted']);

/** Returns the error of a connection that did not come about. */
export function noConnection(
  code: string,
  where: { readonly channel: string; readonly at: string; readonly remedy: string },
  details: ErrorDetails = {},
): NotifyError {
  const isCertificate = CERTIFICATE.has(networkFailure(code));
  return unsent(
    isCertificate ? 'notify-certificate' : 'notify-unreachable',
    { ...where, reason: code },
    details,
  );
}
