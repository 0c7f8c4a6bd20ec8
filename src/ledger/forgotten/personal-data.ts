/** What a table of the ledger has of a person. Each column with text is named, unless all of a row goes. */
interface PersonalData {
  /** Conditions on rows that are the person's alone, each to be followed by what tells who it is. */
  readonly rows?: Readonly<Partial<Record<'id' | 'username' | 'serviceId', string>>>;
  /** Columns with sentences about others, in which the person may be named. */
  readonly texts?: readonly string[];
  /** The same for JSON. */
  readonly values?: readonly string[];
  /** Rows of which texts and values are looked through; without it, all. */
  readonly where?: string;
  /** Columns that name no person, or only another one. */
  readonly others?: readonly string[];
}

/**
 * All tables, and what is erased of them. `username` is the folded username, `serviceId` the id that the service gave. A
 * test compares this with the tables that there are.
 */
export const PERSONAL_DATA: Readonly<Record<string, PersonalData>> = {
  fact: { values: ['value'], where: `name IN ('edited', 'held', 'notified')`, others: ['name'] },
  run: { values: ['report'], others: ['id', 'kind', 'result'] },
  unit: { others: ['id', 'state', 'org_id', 'serial_no', 'sent', 'accepted'] },
  person: { rows: { id: 'id' } },
  left_inside: { rows: { id: 'id' }, texts: ['reason'] },
  memory: { rows: { id: 'is_unit = 0 AND id' } },
  forgotten: { others: ['name_hash'] },
  // Keys of the source's records may tell who they are of: all of them go.
  source_record: {},
  organization: { others: ['id', 'parent_id', 'name', 'serial_no', 'fields'] },
  employee: { rows: { serviceId: 'id' } },
  disabled_user: { rows: { username: 'username_key' } },
  call: { values: ['records'], others: ['run', 'operation'] },
  // Calls stay under a meaningless name: guards count all changes of the last day.
  call_item: { values: ['record'], others: ['subject', 'id', 'outcome', 'buckets'] },
  history: {
    rows: { id: `subject = 'person' AND id` },
    texts: ['approver'],
    values: ['why'],
    others: ['run', 'name', 'name_key', 'kind', 'fields', 'guard', 'approval', 'places'],
  },
  failure: {
    rows: { id: `subject = 'person' AND id` },
    texts: ['reason'],
    others: ['label', 'kind', 'digest'],
  },
  blocked: {
    rows: { id: `subject = 'person' AND id`, username: `subject = 'person' AND name_key` },
    texts: ['reason'],
    others: ['label', 'kind', 'hash'],
  },
  approval: { rows: { serviceId: `kind = 'account' AND digest` }, texts: ['username'], others: ['hash'] },
  // The next run lists anew what it holds.
  held: {},
  reply: { texts: ['username', 'text'], others: ['signature', 'hash', 'run'] },
};
