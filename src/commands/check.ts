import { openAppLedger, openAppSource, type App } from '../app.ts';
import { EXIT } from '../domain/errors.ts';
import { describeSample } from './describe-sample.ts';
import { appOf, sentenceOf, stopOnSignals, type Context } from './context.ts';

const SAMPLES = 3;

type Trial = (app: App, signal: AbortSignal) => Promise<readonly string[]>;

const TRIALS: Readonly<Record<string, Trial>> = { source: trySource, service: tryService, ledger: tryLedger };

/** `rollcall check`: each part tried for real; a part that fails does not keep the others from being tried. */
export async function checkCommand(context: Context): Promise<number> {
  const app = appOf(context, 'stderr');
  context.out(`ok    config   ${app.configFile}\n`);
  const stop = stopOnSignals();
  let failed = false;
  for (const [name, trial] of Object.entries(TRIALS)) {
    try {
      const [first = '', ...more] = await trial(app, stop.signal);
      context.out(`ok    ${name.padEnd(8)} ${first}\n${more.map((line) => `      ${line}\n`).join('')}`);
    } catch (error) {
      failed = true;
      context.out(`FAIL  ${name.padEnd(8)} ${sentenceOf(error)}\n`);
    }
  }
  stop.release();
  await app.service.close();
  return failed ? EXIT.failed : EXIT.done;
}

async function trySource({ settings }: App, signal: AbortSignal): Promise<readonly string[]> {
  const source = openAppSource(settings);
  const samples = await source.samples(SAMPLES, signal);
  return [source.identity, ...samples.flatMap((sample) => describeSample(sample))];
}

async function tryService({ service, settings }: App, signal: AbortSignal): Promise<readonly string[]> {
  const root = await service.root(signal);
  const skew = Math.round((service.now() - Date.now()) / 1000);
  const clock =
    Math.abs(skew) < 5 ? '' : `, its clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead' : 'behind'}`;
  return [`${settings.service.baseUrl}: root "${root.name}" (${root.id})${clock}`];
}

/** Opened the way a run would open it, in a copy: a ledger that does not exist yet is not made by a check. */
function tryLedger(app: App): Promise<readonly string[]> {
  openAppLedger(app, 'scratch').close();
  return Promise.resolve([app.settings.state.path]);
}
