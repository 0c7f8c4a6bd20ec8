/** Does the work, and then what follows from it in any case. If both fail, the error of the work is thrown: it came first. */
export async function thenAlways(work: () => Promise<void>, follow: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await follow().catch(() => undefined);
    throw error;
  }
  await follow();
}
