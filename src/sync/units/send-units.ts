import { RefusedError } from '../../domain/errors.ts';
import type { OrganizationBody, OrganizationImportAnswer } from '../../domain/ports/service.ts';
import { UNSTOPPABLE, type SendingRun } from '../state/world.ts';

/** One journalled attempt at making units. */
export interface Attempt {
  /** Whether the import was refused, and the unit is created instead. */
  creating: boolean;
}

/**
 * Sends new units: by an import, or the only one by "Create node" where this run has found that imports are refused.
 * Returns what the service says it has not made.
 */
export async function sendUnits(
  run: SendingRun,
  bodies: readonly OrganizationBody[],
  attempt: Attempt,
): Promise<OrganizationImportAnswer['failures']> {
  const [only, ...others] = bodies;
  const isAlone = only !== undefined && others.length === 0;
  if (isAlone && isCreated(run, attempt)) return create(run, only);
  try {
    const { failures } = await run.service.importOrganizations(bodies, UNSTOPPABLE);
    if (run.ledger.fact('takesUnitImports') !== true) run.ledger.setFacts({ takesUnitImports: true });
    return failures;
  } catch (error) {
    if (!(error instanceof RefusedError) || !isAlone || !mayCreate(run)) throw error;
    attempt.creating = true;
    run.oneByOne.tried();
    return createInstead(run, only, error);
  }
}

/** Returns whether the unit is not imported, but created. */
export function isCreated({ oneByOne }: SendingRun, { creating }: Attempt): boolean {
  return creating || oneByOne.works;
}

/** Returns whether the refusal may be about imports as such: this service has never answered one. */
function mayCreate({ oneByOne, ledger }: SendingRun): boolean {
  return oneByOne.mayBeTried && ledger.fact('takesUnitImports') !== true;
}

async function create({ service }: SendingRun, body: OrganizationBody): Promise<readonly []> {
  await service.createOrganization(body, UNSTOPPABLE);
  return [];
}

/** Creates the unit; where that is refused too, the words of the import count. */
async function createInstead(
  run: SendingRun,
  body: OrganizationBody,
  refusal: RefusedError,
): Promise<readonly []> {
  try {
    return await create(run, body);
  } catch (error) {
    throw error instanceof RefusedError ? refusal : error;
  }
}
