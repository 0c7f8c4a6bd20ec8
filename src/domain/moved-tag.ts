const TAG = '~moved';

/** What the old node of a moved unit gets as serial number, so that the serial number itself is free for the new one. */
export function tagged(serialNo: string): string {
  return serialNo + TAG;
}

/** The serial number below the tag; `null`: not tagged. */
export function untagged(serialNo: string | null): string | null {
  return serialNo?.endsWith(TAG) === true ? serialNo.slice(0, -TAG.length) : null;
}
