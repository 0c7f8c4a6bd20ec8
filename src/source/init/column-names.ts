import type { ColumnShape } from './table-facts.ts';

/** Names under which columns of HR databases and exports are known: English, German, French, Chinese. */
const list = (names: string): readonly string[] => names.trim().split(/\s+/u);

const UNIT_REFERENCE = `departmentid deptid deptno deptcode departmentcode departmentno department dept departmentname
  enterprisedepartment deptname orgunitid orgunit unitid unitcode unit orgid division divisionid teamid team abteilungsid abteilungsnr
  abteilungsnummer abteilung bereich codeservice idservice service iddepartement departement 部门编号 部门编码
  部门代码 部门id 部门 所属部门 部门名称`;

const PERSON_ID = `employeeid empid employeeno empno employeenumber empnumber personnelnumber personnelno personid
  staffid staffno workerid badgeid badgeno badgenumber personalnummer personalnr persnr mitarbeiternummer
  mitarbeiternr mitarbeiterid matricule idemploye numeroemploye employeid 工号 员工编号 员工工号 员工id 人员编号 职工号`;

/** Spellings without case, blanks, signs and accents; the best first. */
export const PERSON_NAMES = {
  id: list(`${PERSON_ID} id uid uuid userid nr no num code 编号`),
  username:
    list(`username login loginname userlogin logonname samaccountname accountname account adaccount adlogin
    ldapuid ldaplogin uid userid user benutzername benutzerkennung benutzer anmeldename kennung kuerzel identifiant
    nomutilisateur utilisateur 用户名 账号 帐号 登录名 登录账号 账户`),
  name: list(`fullname displayname name employeename empname personname staffname workername ename anzeigename
    vollername nameformatted vollstaendigername nomcomplet nomprenom prenomnom 姓名 员工姓名 名字 名称`),
  first: list(`firstname namegivenname givenname forename fname empfirstname vorname prenom 名`),
  last: list(
    `lastname surname namefamilyname familyname lname emplastname nachname familienname zuname nom nomdefamille 姓 姓氏`,
  ),
  email:
    list(`email emailswork emails workemail mail emailaddress companyemail businessemail emailwork mailadresse emailadresse
    courriel adressemail adresseemail 邮箱 电子邮箱 邮件 电子邮件 企业邮箱`),
  mobile:
    list(`mobile phonenumbersmobile phonesmobile mobilephone mobileno mobilenumber cellphone cell cellnumber phonemobile handy handynummer
    mobiltelefon mobil mobilnummer portable telportable telephoneportable mobilepro 手机 手机号 手机号码 移动电话`),
  workPhone:
    list(`workphone phonenumberswork phones officephone phone phonenumber telephone tel businessphone telefon telefonnummer
    durchwahl telephonefixe 电话 办公电话 座机 联系电话`),
  city: list(
    `city addressesworklocality worklocation location site standort arbeitsort ort ville lieu 城市 工作地点 办公地点`,
  ),
  job_title: list(`jobtitle title position designation jobname job role function funktion stelle
    stellenbezeichnung berufsbezeichnung titel poste fonction intituleposte titre 职位 岗位 职务 职称 岗位名称`),
  unit: list(UNIT_REFERENCE),
} as const;

export const UNIT_NAMES = {
  id: list(`departmentid deptid deptno deptcode departmentcode departmentno orgunitid unitid unitcode orgid id code
    abteilungsid abteilungsnr abteilungsnummer nr nummer kostenstelle codeservice idservice iddepartement
    部门编号 部门编码 部门代码 部门id 编号 编码`),
  name: list(`departmentname deptname dname orgunitname unitname orgname name fullname title bezeichnung
    abteilungsname abteilung department libelle nom nomservice intitule departement 部门名称 部门 名称`),
  parent: list(`parentid parentdepartmentid parentdeptid parentdeptno parentdepartment parentdept parentunitid
    parentorgid parent parentcode parentunit superiorid uppper parentno uebergeordnet uebergeordneteabteilung
    uebergeordneteabteilungid oberabteilung elternid mutterabteilung idparent codeparent parentservice serviceparent
    上级部门 上级部门编号 上级部门编码 上级编号 父部门 父级部门 上级部门id 父部门id 上级`),
} as const;

export const POSITION_NAMES = {
  person: list(
    `${PERSON_ID} employee emp person personne staff mitarbeiter employe salarie userid user 员工`,
  ),
  unit: list(UNIT_REFERENCE),
  job_title: PERSON_NAMES.job_title,
  primary:
    list(`isprimary primary ismain main primaryposition hauptstelle isthauptstelle principal estprincipal
    主岗 是否主岗 主部门 是否主部门 主要`),
  chief: list(`ishead ischief ismanager head chief leiter istleiter leitung responsable estresponsable chef
    负责人 是否负责人 主管 是否主管`),
} as const;

/** First days of a position. Last days are named as those of people. */
export const START_NAMES =
  list(`startdate validfrom begindate datefrom fromdate effectivefrom effectivestartdate startson since beginn beginndatum gueltigab
  von datedebut debut 开始日期 生效日期 任职日期`);

/** What columns say about who is still there. */
export const ACTIVE_NAMES = {
  active:
    list(`isactive active iscurrent current enabled isenabled accountenabled aktiv istaktiv actif estactif 是否在职 在职 有效
    是否有效 启用 是否启用`),
  inactive:
    list(`inactive isinactive deleted isdeleted disabled isdisabled hasleft left terminated isterminated
    inaktiv geloescht ausgeschieden inactif supprime 是否离职 已离职 停用`),
  status: list(`status employmentstatus employeestatus empstatus staffstatus workstatus state zustand
    beschaeftigungsstatus mitarbeiterstatus statut etat 状态 在职状态 员工状态 人员状态`),
  end: list(`enddate terminationdate terminatedat terminatedon leavedate leavingdate leftat lefton exitdate resigndate
    resignationdate lastday lastworkingday dateofleaving employmentenddate validuntil validto dateto todate effectiveto effectiveenddate thrudate endson endedat gueltigbis bis deletedat deletedon contractend
    contractenddate austrittsdatum austritt austrittam datefin datesortie datededepart datedepart 离职日期 离职时间 离职日 结束日期 失效日期`),
} as const;

/** Words in the names of tables and files with units. */
const UNIT_TABLES = list(`department departments dept depts orgunit orgunits unit units organization
  organizations organisation organisationen abteilung abteilungen bereich bereiche service services departement
  departements subunit division divisions team teams 部门 组织 机构`);

/** Returns the columns that have one of these names, the best name first. */
export function columnsNamed<C extends ColumnShape>(
  columns: readonly C[],
  names: readonly string[],
): readonly C[] {
  const folded = new Map(
    columns.toReversed().map((column) => [foldName(column.known ?? column.name), column]),
  );
  return names.flatMap((name) => folded.get(foldName(name)) ?? []);
}

const LETTERS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue', ß: 'ss' };

/** Returns a name as the lists have it: `Übergeordnete-Abteilung` is `uebergeordneteabteilung`, `Emp #` is `empno`. */
function foldName(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[äöüß]/gu, (letter) => LETTERS[letter] ?? letter)
    .replaceAll('#', 'no')
    .normalize('NFD')
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** Returns whether a table or file is called as one with units is; a Chinese name has no blanks between its words. */
export function isCalledUnits(name: string): boolean {
  const words = name.replace(/^.*\/|\.\w{1,4}$/gu, '').replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ');
  const folded = new Set(words.split(/[^\p{L}\p{N}]+/u).map(foldName));
  return UNIT_TABLES.some(
    (known) => folded.has(known) || (/\p{Script=Han}/u.test(known) && name.includes(known)),
  );
}
