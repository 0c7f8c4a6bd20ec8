import type { TableShape } from '../../domain/survey/table-facts.ts';

interface Application {
  readonly title: string;
  /** Tables that only it has together. */
  readonly tables: readonly string[];
  /** Name of its recipe in `config/recipes`. */
  readonly recipe: string;
}

const APPLICATIONS: readonly Application[] = [
  { title: 'OrangeHRM', tables: ['hs_hr_employee', 'ohrm_subunit', 'ohrm_user'], recipe: 'orangehrm' },
  { title: 'Odoo', tables: ['hr_employee', 'hr_department', 'res_users'], recipe: 'odoo' },
  { title: 'ERPNext or Frappe HR', tables: ['tabEmployee', 'tabDepartment'], recipe: 'erpnext' },
];

/** Returns the application whose database this is; `undefined`: none that has a recipe. */
export function knownApplication(tables: readonly TableShape[]): Application | undefined {
  const names = new Set(tables.map(({ name }) => name));
  return APPLICATIONS.find((application) => application.tables.every((table) => names.has(table)));
}
