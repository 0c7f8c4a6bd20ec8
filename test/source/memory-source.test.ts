import type { Person, Refusal, Unit } from '../../src/domain/records/records.ts';
import { MemorySource, type MemoryWorld } from '../doubles/memory-source.ts';
import { describeSource } from './source-contract.ts';
import { PEOPLE, UNITS, type WorldPerson } from './world.ts';

const world: MemoryWorld = {
  units: UNITS.map(({ id, parent, name }): Unit => ({ id, refs: [id], parent, fields: { name } })),
  people: PEOPLE.map((person) => (person.refused === undefined ? personOf(person) : refusalOf(person))),
};

describeSource('memory', true, async () => {
  const broken = new MemorySource(world);
  broken.breakage = { part: 'people', after: 300 };
  return { source: new MemorySource(world), broken, stop: async () => undefined };
});

function personOf(one: WorldPerson): Person {
  const { id, username, name, email, active, born, order, title, units, lost } = one;
  const birthday = born === null ? null : String(Date.parse(`${born}T00:00:00Z`));
  const positions = units.map((unit, index) => {
    return { unit, fields: index === 0 ? { job_title: title, primary: true } : {} };
  });
  const all = { name: name!, email, birthday, sort_order: order };
  const person = { id, username: username!, active, secrets: {}, positions };
  if (lost === undefined) return { ...person, fields: all };
  const fields = Object.fromEntries(Object.entries(all).filter(([field]) => field !== lost));
  return { ...person, fields, losses: [{ field: lost, reason: 'is lost' }] };
}

function refusalOf({ id, refused }: WorldPerson): Refusal {
  return { subject: 'person', id, place: 'memory', field: refused!, reason: 'is refused' };
}
