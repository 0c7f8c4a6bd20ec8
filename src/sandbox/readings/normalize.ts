/* What the reading `normalizes` does to values, as a real service may. */

export function collapseBlanks(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

export function barePhone(text: string): string {
  return text.replaceAll(/[\s-]/g, '');
}
