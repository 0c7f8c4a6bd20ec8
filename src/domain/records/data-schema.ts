/** Interface, "DataSchema", what rollcall reads of it. */
export interface DataSchema {
  readonly id: string;
  /** All names that it is shown under: `property`, `name`, `alias`, `en_alias`, `tw_alias`. */
  readonly names: readonly string[];
  /** As `TEXT`; empty where it is not shown. */
  readonly type: string;
  /** The only values that are taken; empty: any. */
  readonly options: readonly string[];
  /** `null`: not set. */
  readonly min: number | null;
  readonly max: number | null;
}
