/** Pictures that a browser draws without running anything in them; SVG can hold a script. */
export function isPicture(type: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/iu.test(type);
}
