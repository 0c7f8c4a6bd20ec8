/** A value on a real server: its type and how it is written there, and the text that rules get; `null`: absent. */
export interface Written {
  readonly type: string;
  readonly sql: string;
  readonly gives: string | readonly string[] | null;
}

/** A value as a driver hands it out: what the driver's documentation says, no server. */
export interface HandedOut {
  readonly type: string;
  readonly value: unknown;
  readonly scale?: number;
  readonly gives: string | null;
}

export interface Conversion {
  readonly about: string;
  readonly postgres?: Written;
  readonly mariadb?: Written;
  readonly sqlite?: Written;
  readonly sqlserver?: HandedOut;
  readonly oracle?: HandedOut;
}

const UUID = 'd3b07384-d9a0-4c9b-8f0e-1a2b3c4d5e6f';
const BYTES = Buffer.from(UUID.replaceAll('-', ''), 'hex');
const BASE64 = BYTES.toString('base64');
const HEX = BYTES.toString('hex');
const BORN = new Date('1980-02-29T00:00:00Z');
const AT = new Date('1990-05-01T12:30:00.250Z');
/** What the driver of Oracle makes of a time without a zone: one of this process. */
const localAt = new Date(1990, 4, 1, 12, 30, 0, 250);
const localBorn = new Date(1980, 1, 29);

const written = (type: string, sql: string, gives: Written['gives']): Written => ({ type, sql, gives });
const handed = (type: string, value: unknown, gives: string | null, scale?: number): HandedOut => ({
  type,
  value,
  gives,
  ...(scale !== undefined && { scale }),
});

/** What becomes of the values of each engine. The documentation is made of it. */
export const CONVERSIONS: readonly Conversion[] = [
  {
    about: 'big integers, with all digits',
    postgres: written('bigint', '9007199254740993::bigint', '9007199254740993'),
    mariadb: written('bigint unsigned', 'cast(18446744073709551615 as unsigned)', '18446744073709551615'),
    sqlite: written('INTEGER', '9007199254740993', '9007199254740993'),
    sqlserver: handed('bigint', '9007199254740993', '9007199254740993'),
    oracle: handed('NUMBER', '9007199254740993', '9007199254740993'),
  },
  {
    about: 'decimals, with their places; SQL Server: up to 2^53 without the point, else the read stops',
    postgres: written('numeric', '12345678901234567890.50::numeric(30,2)', '12345678901234567890.50'),
    mariadb: written('decimal', 'cast(12345678901234567890.5 as decimal(30,2))', '12345678901234567890.50'),
    sqlite: written('REAL', '1234.5', '1234.5'),
    sqlserver: handed('decimal', 1234.5, '1234.50', 2),
    oracle: handed('NUMBER', '12345678901234567890.5', '12345678901234567890.5'),
  },
  {
    about: 'binary fractions, as short as they are told apart',
    postgres: written('real', '0.1::real', '0.1'),
    mariadb: written('double', '1e-1', '0.1'),
    sqlite: written('REAL', '0.1', '0.1'),
    sqlserver: handed('real', Math.fround(0.1), '0.1'),
    oracle: handed('BINARY_DOUBLE', 0.1, '0.1'),
  },
  {
    about: 'no number, and infinity: a field that wants a number is lost, and listed',
    postgres: written('float8', "array['NaN'::float8, 'Infinity']", ['NaN', 'Infinity']),
    sqlite: written('REAL', '9e999', 'Infinity'),
    oracle: handed('BINARY_DOUBLE', Number.NaN, 'NaN'),
  },
  {
    about: 'money; as PostgreSQL writes it by its lc_monetary: `amount::numeric` gives the number',
    postgres: written('money', "'12.5'::money", '$12.50'),
    sqlserver: handed('money', 12.5, '12.5000'),
  },
  {
    about:
      'booleans; also `Y`, `N`, `T`, `F`, `yes`, `no`, `on`, `off`, `1` and `0` count as such, in any case',
    postgres: written('boolean', 'true', 'true'),
    mariadb: written('tinyint(1)', 'true', '1'),
    sqlite: written('INTEGER', '1', '1'),
    sqlserver: handed('bit', true, 'true'),
    oracle: handed('BOOLEAN', false, 'false'),
  },
  {
    about: 'bits: PostgreSQL gives their digits, MariaDB the number',
    postgres: written('bit(3)', "B'101'", '101'),
    mariadb: written('bit(1)', 'select one from bits', '1'),
  },
  {
    about: 'days: never moved by a time zone',
    postgres: written('date', "date '1980-02-29'", '1980-02-29'),
    mariadb: written('date', "cast('1980-02-29' as date)", '1980-02-29'),
    sqlite: written('TEXT', "date('1980-02-29')", '1980-02-29'),
    sqlserver: handed('date', BORN, '1980-02-29'),
    oracle: handed('DATE', localBorn, '1980-02-29 00:00:00'),
  },
  {
    about: 'days and times that never come, or always were: `date()` takes these words',
    postgres: written('date', "array['infinity'::date, '-infinity']", ['infinity', '-infinity']),
  },
  {
    about: 'times without a zone: as they are written, and of `sync.timezone` where a moment is wanted',
    postgres: written('timestamp', "timestamp '1990-05-01 12:30:00.25'", '1990-05-01 12:30:00.25'),
    mariadb: written('datetime', "cast('1990-05-01 12:30:00.25' as datetime(2))", '1990-05-01 12:30:00.25'),
    sqlite: written('TEXT', "'1990-05-01 12:30:00'", '1990-05-01 12:30:00'),
    sqlserver: handed('datetime2', AT, '1990-05-01 12:30:00.250'),
    oracle: handed('TIMESTAMP', localAt, '1990-05-01 12:30:00.250'),
  },
  {
    about: 'times with a zone: the same moment in UTC',
    postgres: written('timestamptz', "timestamptz '1990-05-01 12:30+08'", '1990-05-01 04:30:00+00'),
    mariadb: written('timestamp', 'select moment from bits', '1990-05-01 04:30:00+00'),
    sqlserver: handed('datetimeoffset', AT, '1990-05-01 12:30:00.250+00'),
    oracle: handed('TIMESTAMP WITH TIME ZONE', AT, '1990-05-01 12:30:00.250+00'),
  },
  {
    about: 'times of a day',
    postgres: written('time', "time '12:30'", '12:30:00'),
    mariadb: written('time', "cast('26:30:00' as time)", '26:30:00'),
    sqlserver: handed('time', new Date('1970-01-01T12:30:00Z'), '12:30:00'),
  },
  {
    about: 'days of zeros: absent; `1990-00-00` is no date, which loses that field',
    mariadb: written('date', 'select none from bits', null),
  },
  {
    about: 'periods',
    postgres: written('interval', "interval '1 day 2 hours'", '1 day 02:00:00'),
    oracle: handed('INTERVAL DAY TO SECOND', { days: 1, hours: 2 }, '{"days":1,"hours":2}'),
  },
  {
    about: 'raw bytes: base64, as pictures need them; a uuid of 16 of them is `{ expr: uuid(id) }`',
    postgres: written('bytea', `'\\x${HEX}'::bytea`, BASE64),
    mariadb: written('binary(16)', `unhex('${HEX}')`, BASE64),
    sqlite: written('BLOB', `x'${HEX}'`, BASE64),
    sqlserver: handed('varbinary', BYTES, BASE64),
    oracle: handed('RAW', BYTES, BASE64),
  },
  {
    about: 'uuids',
    postgres: written('uuid', `'${UUID}'::uuid`, UUID),
    mariadb: written('uuid', `cast('${UUID}' as uuid)`, UUID),
    sqlserver: handed('uniqueidentifier', UUID, UUID),
  },
  {
    about: 'texts with padding: trimmed when they are mapped',
    postgres: written('char(4)', "'ab'::char(4)", 'ab  '),
    mariadb: written('char(4)', "cast('ab' as char(4))", 'ab'),
    sqlite: written('TEXT', "'ab  '", 'ab  '),
    sqlserver: handed('nchar', 'ab  ', 'ab  '),
    oracle: handed('CHAR', 'ab  ', 'ab  '),
  },
  {
    about: 'no value; a text that is empty, or of blanks, counts as absent as well',
    postgres: written('any', 'null', null),
    mariadb: written('any', 'null', null),
    sqlite: written('any', 'null', null),
    sqlserver: handed('nvarchar', null, null),
    oracle: handed('VARCHAR2', null, null),
  },
  {
    about: 'texts of another character set: converted by the database; SQLite: a file of UTF-8 or UTF-16',
    postgres: written('text', String.raw`U&'\5317\4EAC'`, '北京'),
    mariadb: written('varchar, gbk', 'select gbk from bits', '北京'),
    sqlite: written('TEXT', 'char(0x5317, 0x4EAC)', '北京'),
    sqlserver: handed('varchar', '北京', '北京'),
    oracle: handed('NVARCHAR2', '北京', '北京'),
  },
  {
    about: 'texts of latin1',
    mariadb: written('varchar, latin1', 'select latin from bits', 'Müller €'),
  },
  {
    about: 'lists: several values',
    postgres: written('text[]', "array['a', 'b,c', null]", ['a', 'b,c']),
    mariadb: written('set', 'select chosen from bits', 'x,y'),
  },
  {
    about: 'lists of other types, also of enums',
    postgres: written('mood[]', "array['glad'::mood]", ['glad']),
  },
  {
    about: 'enums',
    postgres: written('enum', "'glad'::mood", 'glad'),
    mariadb: written('enum', 'select mood from bits', 'glad'),
  },
  {
    about: 'JSON, whole; a key of it by the query, as in `name->>key`',
    postgres: written('jsonb', `'{"en_US":"Sales"}'::jsonb`, '{"en_US": "Sales"}'),
    mariadb: written('json', 'select named from bits', '{"en_US": "Sales"}'),
    sqlite: written('TEXT', `'{"en_US":"Sales"}'`, '{"en_US":"Sales"}'),
    sqlserver: handed('nvarchar', '{"en_US":"Sales"}', '{"en_US":"Sales"}'),
    oracle: handed('JSON', { en_US: 'Sales' }, '{"en_US":"Sales"}'),
  },
];

/** What some rows of the table read. */
export const PREPARED = {
  postgres: ["create type mood as enum ('glad')"],
  mariadb: [
    'create table bits (one bit(1), none date, moment timestamp null, gbk varchar(9) character set gbk, ' +
      "latin varchar(9) character set latin1, chosen set('x', 'y'), mood enum('glad'), named json)",
    "set sql_mode = ''; set names utf8mb4; set time_zone = '+08:00'; insert into bits values " +
      `(b'1', '0000-00-00', '1990-05-01 12:30:00', '北京', 'Müller €', 'x,y', 'glad', '{"en_US": "Sales"}')`,
  ],
} as const;
