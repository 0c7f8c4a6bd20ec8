import { ACTIVE_DIRECTORY, ACTIVE_DIRECTORY_AND_HR } from './active-directory.ts';
import type { Kitchen } from './company.ts';
import { ERPNEXT, ODOO, ORACLE_HR, ORANGEHRM } from './databases.ts';
import { FLAT_DIRECTORY, FREEIPA, OPENLDAP_GROUPS, OPENLDAP_TREE, TREE_389 } from './directories.ts';
import { CSV_EXPORT } from './export-of-files.ts';
import { SCIM } from './identity-provider.ts';

export const DIRECTORIES: readonly Kitchen[] = [
  ACTIVE_DIRECTORY,
  ACTIVE_DIRECTORY_AND_HR,
  OPENLDAP_TREE,
  OPENLDAP_GROUPS,
  TREE_389,
  FLAT_DIRECTORY,
  FREEIPA,
];

export const DATABASES: readonly Kitchen[] = [ODOO, ERPNEXT, ORANGEHRM, ORACLE_HR, CSV_EXPORT, SCIM];
