import { FullReadNeededError } from './errors.ts';
import { problemsOf } from './problems.ts';

/** Why only a full read can tell what changed. docs/incremental-reads.md is made from it. */
export const fullRead = problemsOf(FullReadNeededError, {
  'full-asked': 'the run is a full one',
  'full-due': 'it is time for one (sync.fullCron)',
  'full-first': 'no read has ended yet to which anything could be added',
  'full-settings': 'the tree of units, rows of positions, the mapping or a setting has changed',
  'full-people': '{what} of source.people changed since the last read',
  'full-source': 'the source is another one',
  'full-server': 'another server answers: {server}',
  'full-way': 'changes are found in another way',
  'full-mark': 'the mark of the last read is not of this version',
  'full-besides':
    'what becomes of people does not depend on their records and the units alone: on the time, on attributes that the ' +
    'source does not know, or on rows of positions that belong to no person',
  'full-combined': 'people or units are put together from several lists, or made from values of people',
  'full-elsewhere': 'another source has the people',
  'full-groups': 'groups decide about people, and a person’s entry does not change with its groups',
  'full-computed': '{what} changes with other entries, and not with those of people',
  'full-scim-groups':
    'groups of people change with other resources, and meta.lastModified of people does not: read them from ' +
    'source.positions instead, with person: member and unit: id',
  'full-many': 'more than {most} {what}',
  'full-lost': '{count} records were asked for by their keys and did not come',
  'full-twice':
    'the list of all keys has {key} twice: source.people.changes.ids of a database has to select each once',
  'full-both': 'the record {key} is both changed and gone',
  'full-shared': 'several records have the key {key}',
  'full-keyless': 'records without a key: {count}',
  'full-base': 'no person is shown below {base}',
  'full-count': '{noted} of {all} records were noted',
  'full-restored': '{what}: the source was restored, or another server answers',
  'full-clock': 'the clock of the source went back',
  'full-summer': 'summer time began or ended where the database is since the last read, or its zone changed',
  'full-query': '{key} is not there',
  'full-no-ids': 'source.people.changes.ids brought no key; have it select the keys of all people',
  'full-container': 'a container above people came, went, or changed its name or place{which}',
  'full-vendor':
    'which server it is, is not known: it shows no root entry that tells, and source.vendor does not say it',
  'full-389': '389 Directory Server and FreeIPA do not tell what changed',
  'full-refused': 'the server does not tell what changed since then: {said}',
  'full-hidden': 'the server does not show {what}: let the account read it',
  'full-domains': 'the bases are not all in one domain',
  'full-deleted':
    'the account does not see deleted entries: let it read and list CN=Deleted Objects,{suffix}',
  'full-syncprov': 'OpenLDAP tells what changed with the overlay syncprov alone: add it',
  'full-log':
    'the server does not tell who is gone: its overlay syncprov has no syncprov-sessionlog that reaches back to the last read',
  'full-empty': 'the list is empty',
  'full-no-filters': 'the server takes no filters (ServiceProviderConfig: filter.supported is false)',
  'full-filter': 'the server refuses {attribute} in a filter ({said})',
  'full-ignored': 'the server ignores {attribute} in a filter{which}',
  'full-found': 'a filter for {attribute} finds {found} of {total} records',
  'full-zone': '{attribute} of {id} tells no time with its zone',
});
