/** A question, and its answer. */
export interface Answered<Q, A> {
  readonly question: Q;
  readonly answer: A;
}

/**
 * Asks all questions and yields the answers in order. While one is worked on, the next `ahead` are under way, so that
 * whoever answers need not wait. If the caller ends early, these are left to end on their own.
 */
export async function* answersAhead<Q, A>(
  questions: Iterator<Q>,
  ask: (question: Q) => Promise<A>,
  ahead: number,
): AsyncGenerator<Answered<Q, A>, void> {
  const underWay: Answered<Q, Promise<A>>[] = [];
  const fill = (): void => {
    while (underWay.length < ahead) {
      const next = questions.next();
      if (next.done === true) return;
      const answer = ask(next.value);
      // Whoever awaits the answer gets its error. If the caller fails before that, its own error is reported.
      answer.catch(() => undefined);
      underWay.push({ question: next.value, answer });
    }
  };
  fill();
  for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) {
    const answer = await first.answer;
    fill();
    yield { question: first.question, answer };
  }
}
