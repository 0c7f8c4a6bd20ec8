import type { ListLimits } from '../../domain/ports/service.ts';
import type { Run, World } from '../state/world.ts';

/** Applies the list limits that an earlier run found out, so that not each run has to. */
export function recallListLimits({ ledger, service }: World): void {
  service.keepTo(ledger.fact('listLimits') ?? {});
}

/** Remembers the list limits that this run found out for the next one, and logs them once. */
export function rememberListLimits({ ledger, log, service }: Run): void {
  const found = service.listLimits();
  if (isSame(found, ledger.fact('listLimits') ?? {})) return;
  ledger.setFacts({ listLimits: found });
  log.note(
    'info',
    'the service refused longer lists, or read them in part: from now on they are asked for this short',
    {
      ...found,
    },
  );
}

function isSame(one: ListLimits, other: ListLimits): boolean {
  const { pageSize, namesPerQuery, urlBytes } = other;
  return one.pageSize === pageSize && one.namesPerQuery === namesPerQuery && one.urlBytes === urlBytes;
}
