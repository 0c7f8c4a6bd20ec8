/** What is wrong about a request, and where: `body.positions[0].org_id`, `query limit`. */
export interface Problem {
  readonly place: string;
  readonly text: string;
}
