/** A unit of the demo's company, with the number of people who have it as their first unit. */
export interface Department {
  readonly id: string;
  readonly parent: string | null;
  readonly name: string;
  readonly people: number;
}

type DepartmentRow = readonly [id: string, name: string, people: number];

/**
 * Rows of units: an id without its last digit is the id of the parent. The names are as in real life: two
 * scripts, a slash, an ampersand.
 */
const ROWS: readonly DepartmentRow[] = [
  ['D1', '研发中心 Research & Development', 3],
  ['D11', 'Sensors 传感器', 4],
  ['D111', 'Optics Lab', 14],
  ['D1111', 'Laser Metrology', 9],
  ['D1112', 'Spectroscopy', 8],
  ['D112', 'Pressure & Flow', 13],
  ['D12', 'Embedded Software', 5],
  ['D121', 'Firmware', 18],
  ['D1211', 'Drivers / BSP', 7],
  ['D122', 'Connectivity', 12],
  ['D13', 'Cloud Platform 云平台', 6],
  ['D131', 'Backend', 16],
  ['D1311', 'Ingestion', 8],
  ['D132', 'Web & Mobile', 14],
  ['D2', '制造部 Manufacturing', 3],
  ['D21', 'Shenzhen Plant 深圳工厂', 6],
  ['D211', '总装车间 Assembly', 34],
  ['D2111', 'Line A', 14],
  ['D2112', 'Line B', 13],
  ['D212', '校准室 Calibration', 15],
  ['D22', 'Leipzig Plant', 5],
  ['D221', 'Glassworks', 17],
  ['D23', '品质部 Quality', 11],
  ['D24', 'Supply Chain', 4],
  ['D241', '采购部 Procurement', 10],
  ['D242', 'Warehouse', 12],
  ['D3', '营销中心 Sales & Marketing', 3],
  ['D31', '亚太区 Asia Pacific', 5],
  ['D311', '华东 East China', 14],
  ['D3111', 'Key Accounts', 6],
  ['D312', '华南 South China', 11],
  ['D32', 'Europe', 4],
  ['D321', 'DACH', 10],
  ['D322', 'Nordics', 7],
  ['D33', 'Marketing', 9],
  ['D34', 'Customer Care', 16],
  ['D4', '财务部 Finance', 3],
  ['D41', 'Accounting 会计', 15],
  ['D5', '人力资源部 People & Culture', 9],
  ['D6', '总裁办 Executive Office', 7],
];

export const DEPARTMENTS: readonly Department[] = ROWS.map(([id, name, people]) => ({
  id,
  parent: id.length > 2 ? id.slice(0, -1) : null,
  name,
  people,
}));

const TITLES = ['Engineer', '工程师', 'Analyst', 'Planner', '客户经理', 'Technician', 'Consultant'];

/** Family and given names; Chinese ones with their Latin spelling, which logins are made of. */
const CHINESE = [
  `王 Wang, 李 Li, 张 Zhang, 刘 Liu, 陈 Chen, 杨 Yang, 黄 Huang, 赵 Zhao, 吴 Wu, 周 Zhou,
   徐 Xu, 孙 Sun, 马 Ma, 朱 Zhu, 胡 Hu, 郭 Guo, 何 He, 林 Lin, 欧阳 Ouyang, 司马 Sima`,
  `伟 Wei, 芳 Fang, 娜 Na, 秀英 Xiuying, 敏 Min, 静 Jing, 丽 Li, 强 Qiang, 磊 Lei, 洋 Yang, 艳 Yan, 勇 Yong,
   杰 Jie, 涛 Tao, 明 Ming, 超 Chao, 霞 Xia, 平 Ping, 刚 Gang, 桂英 Guiying, 晨曦 Chenxi, 雨桐 Yutong, 子轩 Zixuan`,
].map(namesIn);
const LATIN = [
  `Müller, Schneider, Öberg, García, O'Brien, Nováková, Lindqvist, Weber, Rossi, Visser, Kowalski,
   Dubois, Hansen, Ferreira, Becker, Virtanen, Smith, Åkesson, Moreau, Kühn, Petrov`,
  `Anna, Jürgen, Zoë, José, Ingrid, Lukas, Chloé, Marek, Sofia, Håkan,
   Emily, Tomás, Greta, Piotr, Maeve, Jonas, Élodie, Mateo, Freya, Samuel`,
].map(namesIn);

interface Name {
  readonly local: string;
  readonly latin: string;
}

function namesIn(text: string): readonly Name[] {
  return text.split(',').map((name) => {
    const [local = '', latin = local] = name.trim().split(' ');
    return { local, latin };
  });
}

export interface Employee {
  readonly number: string;
  readonly login: string;
  readonly name: string;
  readonly latinName: string;
  readonly mobile: string;
  readonly status: 'active' | 'left';
  readonly department: string;
  readonly isHead: boolean;
  readonly title: string;
  /** Department of a second position. */
  readonly second?: string | undefined;
}

const PROJECT_EVERY = 19;
const LEAVER_EVERY = 50;

/** Returns the people of the company, always the same ones: tables are walked in fixed strides, not by chance. */
export function hireEverybody(): readonly Employee[] {
  const seats = DEPARTMENTS.flatMap(({ id: department, people }) =>
    Array.from({ length: people }, (_, seat) => ({ department, isHead: seat === 0 })),
  );
  return seats.map(({ department, isHead }, index) => ({
    number: `E${digits(index + 1, 4)}`,
    ...namedAt(index),
    status: !isHead && index % LEAVER_EVERY === LEAVER_EVERY - 1 ? 'left' : 'active',
    department,
    isHead,
    title: isHead ? 'Head of Unit' : pick(TITLES, index),
    second: index % PROJECT_EVERY === PROJECT_EVERY - 1 ? elsewhere(department, index) : undefined,
  }));
}

function elsewhere(department: string, index: number): string {
  return pick(
    DEPARTMENTS.filter(({ id }) => id !== department),
    index * 7,
  ).id;
}

/** Step through the pairs of names; it has no divisor in common with their number, so no pair comes twice. */
const STRIDE = 137;

function namedAt(index: number): Pick<Employee, 'name' | 'latinName' | 'login' | 'mobile'> {
  const isChinese = index % 5 < 3;
  const [families = [], givens = []] = isChinese ? CHINESE : LATIN;
  const pair = (index * STRIDE) % (families.length * givens.length);
  const [family, givenName] = [pick(families, pair), pick(givens, Math.floor(pair / families.length))];
  const latinName = `${givenName.latin} ${family.latin}`;
  const ascii = latinName.normalize('NFD').replaceAll(/[^A-Za-z ]/gu, '');
  return {
    name: isChinese ? family.local + givenName.local : latinName,
    latinName,
    login: ascii.toLowerCase().replace(' ', '.'),
    mobile: `${isChinese ? '+86138' : '+49151'}${digits(index, 8)}`,
  };
}

function digits(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

/** Returns the entry at an index, which goes round and round the table. */
function pick<T>(table: readonly T[], index: number): T {
  const picked = table[index % table.length];
  if (picked === undefined) throw new Error('the table is empty');
  return picked;
}
