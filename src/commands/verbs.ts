/** The verbs, each loaded when it is asked for: all of them together would cost every one of them half a second. */
export const VERBS = {
  call: async () => (await import('./call.ts')).callCommand,
  check: async () => (await import('./check.ts')).checkCommand,
  explain: async () => (await import('./explain.ts')).explainCommand,
  forget: async () => (await import('./forget.ts')).forgetCommand,
  history: async () => (await import('./history.ts')).historyCommand,
  init: async () => (await import('./init.ts')).initCommand,
  plan: async () => (await import('./plan.ts')).planCommand,
  revert: async () => (await import('./revert.ts')).revertCommand,
  run: async () => (await import('./run.ts')).runCommand,
  sandbox: async () => (await import('./sandbox.ts')).sandboxCommand,
  status: async () => (await import('./status.ts')).statusCommand,
  sync: async () => (await import('./sync.ts')).syncCommand,
} as const;
