interface Numbered {
  readonly id: string;
  readonly serialNo: string | null;
}

/**
 * Returns the serial number for the node that a moved unit leaves, `SERIAL~ID` with the node's own id. The service takes
 * each number once, and the new node needs the unit's.
 */
export const leftSerial = (serialNo: string, orgId: string): string => `${serialNo}~${orgId}`;

/** Somewhat less than 255 characters, which are known to be accepted. */
const LONGEST_NAME = 250;

/** Returns the name of such a node, `NAME~ID`: the new node may need the unit's, or another unit that comes in its place. */
export const leftName = (name: string, orgId: string): string =>
  `${name.slice(0, Math.max(0, LONGEST_NAME - orgId.length))}~${orgId}`;

/** Returns the serial number of the unit that has left this node; `null`: none has. */
export function serialBefore({ id, serialNo }: Numbered): string | null {
  return serialNo?.endsWith(`~${id}`) === true ? serialNo.slice(0, -id.length - 1) : null;
}
