/** The words of the README, each with the type that carries it; the test sees that the type is there. */
export const GLOSSARY = [
  ['unit, person', 'a record of the source, after mapping: what should be', ['Unit', 'Person']],
  ['position', 'the membership of a person in a unit; one of them is primary', ['Position']],
  ['organization, employee, user', 'a record of the service: what is', ['Organization', 'Employee', 'User']],
  [
    'ledger',
    'the local SQLite file: what rollcall wrote, what it last saw, what it is about to do',
    ['Ledger'],
  ],
  ['journal', 'the part of the ledger that has each changing call before it is sent', ['Journal']],
  [
    'snapshot',
    'what a managed record was last sent, and what the service showed of it then',
    ['PersonEntry', 'UnitEntry'],
  ],
  ['view', 'what the service was last seen to hold', ['View']],
  ['staging', 'what one read of the source brought, until the run ends', ['SourceStage']],
  ['managed', 'in the ledger as ours; everything else is never changed or removed', ['RecordState']],
  [
    'adopt',
    'to make an existing record of the service ours, because it is the same unit or person',
    ['UnitChangeKind'],
  ],
  ['drift', 'somebody edited a managed record in the service', ['EventFields']],
  ['guard', 'a limit on how much may change in one run', ['Guard']],
  ['held', 'planned, but stopped by a guard until a person approves it', ['Held']],
  ['blocked', 'waits for something else, with the reason named', ['Blocked']],
  ['run', 'one pass: read source, refresh the view, plan, guard, apply, verify, report', ['RunRecord']],
  ['watermark', 'the time on the service’s clock up to which its changes were seen', ['LedgerFacts']],
  ['lease', 'what keeps two runs from working on one ledger', ['Lease']],
] as const satisfies readonly (readonly [word: string, meaning: string, types: readonly string[]])[];
