interface Numbered {
  readonly id: string;
  readonly serialNo: string | null;
}

/**
 * Returns the serial number for the node that a moved unit leaves, `SERIAL~ID` with the node's own id. The service takes
 * each number once, and the new node needs the unit's.
 */
export const leftSerial = (serialNo: string, orgId: string): string => `${serialNo}~${orgId}`;

/** Returns the serial number of the unit that has left this node; `null`: none has. */
export function serialBefore({ id, serialNo }: Numbered): string | null {
  return serialNo?.endsWith(`~${id}`) === true ? serialNo.slice(0, -id.length - 1) : null;
}
