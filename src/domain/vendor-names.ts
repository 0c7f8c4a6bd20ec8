/** Vendors of directories, as `source.vendor` names them; their table is in `directories/vendors.ts`. */
export const VENDOR_NAMES = ['activeDirectory', 'samba', 'openldap', '389', 'freeipa'] as const;
export type VendorName = (typeof VENDOR_NAMES)[number];

/** What `source.vendor` takes: `auto` asks the server and gives no defaults, `generic` asks for nothing. */
export const VENDOR_CHOICES = ['auto', ...VENDOR_NAMES, 'generic'] as const;
export type VendorChoice = (typeof VENDOR_CHOICES)[number];
