import type { ServiceSettings } from '../domain/settings.ts';
import type { Problem } from '../interface/requests/problem.ts';
import { isUnknownPath } from './employees/leave-verbs.ts';
import { prepare, type AnyRequest } from './any/any-call.ts';
import { Client, type ClientDeps } from './calls/client.ts';

/** Any operation of the interface, by its name. */
export interface Caller {
  /**
   * Returns what is wrong about a request; nothing was sent then. Otherwise sends it and returns the `result` of the
   * envelope, in which integers of 16 digits and more are text, or what was saved of bytes. Throws what
   * {@link Client.call} throws, and a JsonSyntaxError if the body is no JSON.
   */
  call(
    request: AnyRequest,
    signal: AbortSignal,
  ): Promise<
    { readonly problems: readonly Problem[] } | { readonly problems: readonly []; readonly result: unknown }
  >;
  close(): Promise<void>;
}

export interface CallerDeps extends Omit<ClientDeps, 'onToken'> {
  /** Called with each token that is read and each secret that a body holds, so that they can be hidden. */
  readonly onSecret?: (secret: string) => void;
}

/** Creates a caller over HTTP. Nothing is sent before the first call; `close` ends its connections. */
export function createCaller(settings: ServiceSettings, deps: CallerDeps): Caller {
  const { onSecret = () => undefined } = deps;
  const client = new Client(settings, { ...deps, onToken: onSecret });
  return {
    async call(request, signal) {
      const prepared = await prepare(request, settings);
      if (!('call' in prepared)) return prepared;
      const { call, older } = prepared;
      call.secrets?.forEach(onSecret);
      const reply = await client.ask(call, signal);
      if (reply.ok) return { problems: [], result: reply.value };
      if (older !== null && isUnknownPath(reply))
        return { problems: [], result: await client.call(older, signal) };
      throw reply.refusal;
    },
    close: () => client.close(),
  };
}
