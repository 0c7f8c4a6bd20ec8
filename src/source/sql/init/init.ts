import { resolve } from 'node:path';
import { ConfigError } from '../../../domain/errors.ts';
import type { SqlSettings } from '../kind.ts';
import { missingFlag, Password, tlsOf, urlOf, withHead, type KindInit } from '../../init/init-kind.ts';
import { chosenBy } from '../../init/choose-tables.ts';
import { proposeTables } from '../../init/propose-tables.ts';
import { connectDatabase, connectWithPassword } from '../read/connect-database.ts';
import { surveyDatabase, surveyQuery } from './survey-database.ts';

export const sqlInit: KindInit<SqlSettings> = {
  async draft(flags, signal) {
    const { url: given = '', anonymous } = flags;
    if (/^(?:oracle|sqlserver|mssql):/iu.test(given))
      throw new ConfigError(
        'rollcall init looks at no tables of Oracle or SQL Server; begin with config/recipes/oracle-hr.yaml.',
      );
    const isFile = /^sqlite:/iu.test(given);
    const url = isFile ? `sqlite:${resolve(given.replace(/^sqlite:(?:\/\/)?/iu, ''))}` : urlOf(flags);
    const password = isFile || anonymous ? undefined : new Password(flags);
    if (password !== undefined && !url.includes('@'))
      throw missingFlag('a user in --url (postgres://USER@…)');
    const address = password === undefined ? url : url.replace('@', `:${encodeURIComponent(password.text)}@`);
    const tls = tlsOf(flags);
    const connection = await connectDatabase({ type: 'sql', url: address, tls: tls.access }, signal);
    const chosen = await surveyDatabase(connection, (tables) => chosenBy(flags, tables));
    return withHead(proposeTables('query', chosen), { type: 'sql', url, password, tls: tls.written });
  },

  async columns(settings, part, { refusals, signal }) {
    const connection = await connectWithPassword(settings, { refusals }, signal);
    return surveyQuery(connection, settings[part]?.query ?? '');
  },
};
