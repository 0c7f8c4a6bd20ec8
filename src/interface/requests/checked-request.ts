/** A request before it is sent, or as it came. */
export interface CheckedRequest {
  /** Variable parts of the path, decoded. */
  readonly parts: Readonly<Record<string, string>>;
  /** The organization's own code: it may have any letters, and leads nowhere else. */
  readonly orgCode?: string | undefined;
  /** Without `access_token`. */
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON, where the operation takes JSON; `undefined`: no body. */
  readonly body?: unknown;
  /** Fields of the form beside the file, where the operation takes a form. */
  readonly form?: Readonly<Record<string, string>>;
}
