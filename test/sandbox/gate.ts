/** Something that is waited for until a test opens it. */
export interface Gate {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

export function gate(): Gate {
  let letIn: (() => void) | undefined;
  const opened = new Promise<void>((resolve) => {
    letIn = resolve;
  });
  return { opened, open: () => letIn?.() };
}
