import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RefusedError } from '../../src/domain/errors.ts';
import type { Employee, EmployeeBody, Organization, Page, Service } from '../../src/domain/ports/service.ts';

/** An implementation of the port with a world of its own behind it. */
export interface ServiceWorld {
  readonly service: Service;
  /** Somebody else's doing: an account of the domain that is no employee here. */
  addUser(username: string): void;
  /** Leaves out nothing: no wait, no failure. */
  close(): Promise<void>;
}

const { signal } = new AbortController();
/** No double holds it: a digit lost anywhere fails these tests. */
const TAG = '9007199254740993';

const dept = (name: string, fields = {}) => ({ name, type: 'DEPT', ...fields });
const person = (username: string, orgId: string, fields = {}): EmployeeBody => ({
  username,
  fields: { name: username.toUpperCase(), ...fields },
  positions: [{ orgId, fields: { job_title: 'Clerk', primary: true } }],
});

async function collect<T>(pages: AsyncIterable<Page<T>>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const page of pages) {
    expect(page.skip).toBe(all.length);
    all.push(...page.records);
    expect(page.totalCount).toBeGreaterThanOrEqual(all.length);
  }
  return all;
}

/** What every implementation of the port does, whatever the service makes of what the interface leaves open. */
export function serviceContract(name: string, start: () => Promise<ServiceWorld>): void {
  describe(`port Service: ${name}`, () => {
    let world: ServiceWorld;
    let service: Service;
    let root: Organization;

    beforeEach(async () => {
      world = await start();
      ({ service } = world);
      root = await service.root(signal);
    });
    afterEach(() => world.close());

    async function unit(unitName: string, parentId = root.id, fields = {}): Promise<string> {
      const serial = `serial ${unitName}`;
      const body = { parentId, fields: dept(unitName, { serial_no: serial, ...fields }) };
      const answer = await service.importOrganizations([body], signal);
      expect(answer.failures).toEqual([]);
      const node = await service.organizationBySerial(serial, signal);
      expect(answer.successes).toEqual([[expect.any(String), node?.id]]);
      return node!.id;
    }

    async function employee(username: string): Promise<Employee | undefined> {
      const { found, unclear } = await service.employees([username], signal);
      expect(unclear.size).toBe(0);
      return found.get(username);
    }

    test('the root has no parent', () => {
      expect(root).toMatchObject({ parentId: null, id: expect.stringMatching(/^\d+$/) as unknown });
    });

    test('nodes that are imported are found by list, id and serial number, with what was sent', async () => {
      const sales = await unit('Sales', root.id, { sn: 'S1', sort_order: '7' });
      const north = await unit('North', sales);
      const listed = await collect(service.organizations(null, signal));
      expect(listed.map(({ id }) => id).toSorted()).toEqual([root.id, sales, north].toSorted());
      expect(listed.find(({ id }) => id === north)).toMatchObject({
        parentId: sales,
        serialNo: 'serial North',
      });
      await expect(service.organization(sales, signal)).resolves.toMatchObject({
        id: sales,
        parentId: root.id,
        name: 'Sales',
        fields: { name: 'Sales', type: 'DEPT', sn: 'S1', serial_no: 'serial Sales', sort_order: '7' },
      });
    });

    test('what does not exist is null', async () => {
      await expect(service.organization('99999999999999999', signal)).resolves.toBeNull();
      await expect(service.organizationBySerial('nobody', signal)).resolves.toBeNull();
      await expect(service.organizationBySerial('..', signal)).resolves.toBeNull();
      await expect(service.organizationBySerial('a/b?c#d%2F', signal)).resolves.toBeNull();
    });

    test('a serial number of any letters is found again', async () => {
      for (const serial of ['ou=a,dc=b', 'a/b', 'ä ü?&=#%', '部门']) {
        const id = await unit(serial, root.id, { serial_no: serial }).catch(() => null);
        const found = await service.organizationBySerial(serial, signal);
        expect(found).toMatchObject({ serialNo: serial });
        expect(id === null || id === found?.id).toBe(true);
      }
    });

    test('a node that is modified keeps what was not sent', async () => {
      const id = await unit('Sales', root.id, { sn: 'S1' });
      await service.modifyOrganization(id, { name: 'Trade', sort_order: '9' }, signal);
      const fields = { name: 'Trade', sn: 'S1', sort_order: '9' };
      await expect(service.organization(id, signal)).resolves.toMatchObject({ name: 'Trade', fields });
    });

    test('a bad node is named among the failures, the others are made', async () => {
      await unit('Sales');
      const bodies = [
        { parentId: root.id, fields: dept('New', { serial_no: 'new' }) },
        { parentId: root.id, fields: dept('Twice', { serial_no: 'serial Sales' }) },
      ];
      const { successes, failures } = await service.importOrganizations(bodies, signal);
      expect(successes).toHaveLength(1);
      expect(failures).toEqual([[expect.any(String), expect.stringMatching(/./)]]);
    });

    test('a look into a node shows who is there, locked or not, and what is below', async () => {
      const sales = await unit('Sales');
      await expect(service.contents(sales, signal)).resolves.toMatchObject({ children: [], employees: [] });
      const north = await unit('North', sales);
      await service.importEmployees([person('ann', sales), person('bob', sales)], signal);
      await service.disableEmployee((await employee('bob'))!.id, signal);
      const { children, employees } = await service.contents(sales, signal);
      expect(children).toEqual([north]);
      expect(employees).toHaveLength(2);
      expect((await service.contents(root.id, signal)).children).toEqual([sales]);
    });

    test('a crowded node shows some, and that there are more', async () => {
      const sales = await unit('Sales');
      await service.importEmployees(
        Array.from({ length: 60 }, (_, n) => person(`p${n}`, sales)),
        signal,
      );
      const { employees, more } = await service.contents(sales, signal);
      expect(employees[0]).toMatch(/^p\d+$/);
      expect(more || employees.at(-1)?.endsWith('more)')).toBe(true);
    });

    test('an empty node goes; one with employees, and one that is gone, are refused by name', async () => {
      const sales = await unit('Sales');
      const empty = await unit('Empty');
      await service.importEmployees([person('ann', sales)], signal);
      await service.deleteOrganization(empty, signal);
      await expect(service.organization(empty, signal)).resolves.toBeNull();
      const refused = (id: string): Promise<unknown> =>
        service.deleteOrganization(id, signal).catch((error: unknown) => error);
      expect(await refused(sales)).toMatchObject({ code: 'REFUSED', named: 'hasEmployees' });
      expect(await refused(empty)).toMatchObject({ code: 'REFUSED', named: 'noSuchOrganization' });
    });

    test('employees come back with what was sent, digit for digit', async () => {
      const sales = await unit('Sales');
      const fields = {
        email: 'ann@example.com',
        sort_order: '3',
        tags: [TAG],
        properties: { [TAG]: ['x', 'y'] },
      };
      const body = {
        ...person('ann', sales, fields),
        positions: [{ orgId: sales, fields: { chief: true, primary: true } }],
      };
      const [outcome] = await service.importEmployees([body], signal);
      expect(outcome).toMatchObject({ outcome: 'done' });
      const ann = await employee('ann');
      expect(ann).toMatchObject({
        id: expect.stringMatching(/^\d+$/) as unknown,
        locked: false,
        fields: { name: 'ANN', ...fields },
      });
      expect(ann?.positions).toMatchObject([{ orgId: sales, fields: { chief: true, primary: true } }]);
    });

    test('outcomes stand in the order of the bodies, the refused with a reason', async () => {
      const bodies = [
        person('zoe', root.id),
        person('bad', '77777777777777777'),
        person('42', root.id),
        person('Ann', root.id),
      ];
      const outcomes = await service.importEmployees(bodies, signal);
      expect(outcomes.map(({ outcome }) => outcome)).toEqual(['done', 'refused', 'done', 'done']);
      expect(outcomes[1]).toMatchObject({ reason: expect.stringMatching(/./) as unknown });
    });

    test('only exactly these usernames, only employees, none twice', async () => {
      await service.importEmployees(
        [person('ann', root.id), person('anna', root.id), person('Bob', root.id)],
        signal,
      );
      world.addUser('guest');
      const { found } = await service.employees(['ann', 'ann', 'bob', 'guest', 'nobody', ''], signal);
      expect([...found].map(([asked, { username }]) => [asked, username])).toEqual([
        ['ann', 'ann'],
        ['bob', 'Bob'],
      ]);
      expect((await service.employees([], signal)).found.size).toBe(0);
    });

    test('usernames of any letters are asked for rightly', async () => {
      const names = ['a,b', 'c d', 'e&f=g', 'h+i', 'j#k', 'l/m', 'ä', '中文', "o'b", 'p%2Cq', 'a', 'b'];
      await service.importEmployees(
        names.map((username) => person(username, root.id)),
        signal,
      );
      const { found } = await service.employees(names, signal);
      expect([...found.keys()].toSorted()).toEqual(names.toSorted());
    });

    test('a thousand usernames are more than one URL', async () => {
      const names = Array.from({ length: 1000 }, (_, n) => `person.number.${n}@example.com`);
      const here = names.filter((_, n) => n % 3 === 0);
      for (let from = 0; from < here.length; from += 200) {
        const bodies = here.slice(from, from + 200).map((username) => person(username, root.id));
        await service.importEmployees(bodies, signal);
      }
      const { found } = await service.employees(names, signal);
      expect([...found.keys()].toSorted()).toEqual(here.toSorted());
    });

    test('leaving and coming back', async () => {
      await service.importEmployees([person('ann', root.id)], signal);
      const { id } = (await employee('ann'))!;
      await service.disableEmployee(id, signal);
      expect((await employee('ann'))?.locked ?? true).toBe(true);
      await service.enableEmployee(id, signal);
      expect((await employee('ann'))?.locked).toBe(false);
      await expect(service.disableEmployee('77777777777777777', signal)).rejects.toBeInstanceOf(RefusedError);
    });

    test('an employee is found by id, locked or not, until there is none', async () => {
      const sales = await unit('Sales');
      const body = person('ann', sales, { email: 'ann@example.com', tags: [TAG] });
      await service.importEmployees([body], signal);
      const { id } = (await employee('ann'))!;
      const ann = await service.employee(id, signal);
      expect(ann).toMatchObject({ id, username: 'ann', locked: false, fields: body.fields });
      expect(ann?.positions).toMatchObject(body.positions);
      await service.disableEmployee(id, signal);
      await expect(service.employee(id, signal)).resolves.toMatchObject({ id, locked: true });
      await service.importEmployees([{ ...body, ops: 'REMOVE' }], signal);
      await expect(service.employee(id, signal)).resolves.toBeNull();
      await expect(service.employee('77777777777777777', signal)).resolves.toBeNull();
    });

    test('an employee who is modified has exactly these positions, and keeps the username', async () => {
      const [sales, north] = [await unit('Sales'), await unit('North')];
      await service.importEmployees([person('ann', sales, { email: 'ann@example.com' })], signal);
      const { id } = (await employee('ann'))!;
      const positions = [{ orgId: north, fields: { job_title: 'Chief', primary: true } }];
      const fields = { name: 'Ann', password: 'x', source_identifiers: { card: '1' }, tags: [TAG] };
      await service.modifyEmployee(id, { fields, positions }, signal);
      const ann = await employee('ann');
      expect(ann).toMatchObject({ id, fields: { name: 'Ann', email: 'ann@example.com', tags: [TAG] } });
      expect(ann?.positions).toMatchObject(positions);
      const nobody = service.modifyEmployee('77777777777777777', { fields, positions }, signal);
      await expect(nobody).rejects.toBeInstanceOf(RefusedError);
    });

    test('an employee who is removed is no employee any more', async () => {
      await service.importEmployees([person('ann', root.id)], signal);
      const body: EmployeeBody = { ...person('ann', root.id), ops: 'REMOVE' };
      await expect(service.importEmployees([body], signal)).resolves.toMatchObject([{ outcome: 'done' }]);
      await expect(employee('ann')).resolves.toBeUndefined();
    });

    test('users are all of the domain, and with a time those who changed since', async () => {
      await service.importEmployees([person('ann', root.id)], signal);
      world.addUser('guest');
      const users = await collect(service.users(null, signal));
      expect(users.map(({ username }) => username)).toEqual(expect.arrayContaining(['ann', 'guest']));
      expect(users.filter(({ disabled }) => disabled === true)).toEqual([]);
      await service.disableEmployee((await employee('ann'))!.id, signal);
      const disabled = (await collect(service.users(null, signal))).filter((user) => user.disabled === true);
      expect(disabled.map(({ username }) => username)).toEqual(['ann']);
      const later = Date.now() + 3_600_000;
      await expect(collect(service.users(later, signal))).resolves.toEqual([]);
      await expect(collect(service.organizations(later, signal))).resolves.toEqual([]);
    });
  });
}
