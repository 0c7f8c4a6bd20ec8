/** What may be wrong with a configuration, by the code at the end of its line; docs/troubleshooting.md is made from it. */
export const CONFIG_PROBLEMS = {
  'config-yaml': 'The file is empty or no valid YAML.',
  'config-reference': 'A variable or file in `${…}` is not there, or the `${…}` cannot be understood.',
  'config-unknown-key':
    'The key does not exist here, or is misspelled. The line names what was probably meant.',
  'config-gone-key': 'The key is gone. The line says what to do instead; docs/upgrade.md lists all.',
  'config-missing': 'A key is missing that is needed here.',
  'config-type': 'The value is of another kind than is expected: text, number, list, mapping.',
  'config-value': 'The key does not take this value. The line says which it takes.',
  'config-conflict': 'Two keys contradict each other, or one stands without another that it needs.',
  'config-unused': 'Nothing uses this source or table.',
  'config-placeholder': 'The line still has the placeholder of `rollcall init`.',
} as const;

export type ConfigProblem = keyof typeof CONFIG_PROBLEMS;
