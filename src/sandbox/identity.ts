import type { Identity } from './http/backend.ts';
import { SandboxOptionError } from './options/sandbox-option-error.ts';
import type { Store } from './world/store.ts';

const DEFAULTS: Identity = { domainId: 'sandbox', orgCode: 'sandbox', rootName: 'Root' };

/**
 * Returns the identity. A data file keeps the one with which it was created; an option that says otherwise is
 * an error.
 */
export function identityOf(
  options: { readonly [Name in keyof Identity]?: string | undefined },
  store: Store | undefined,
): Identity {
  const pick = (name: keyof Identity): string => {
    const kept = store?.fact(name);
    const wanted = options[name] ?? kept ?? DEFAULTS[name];
    if (kept === undefined || kept === wanted) return wanted;
    throw new SandboxOptionError(`The data file belongs to ${name} "${kept}", not "${wanted}".`);
  };
  return { domainId: pick('domainId'), orgCode: pick('orgCode'), rootName: pick('rootName') };
}
