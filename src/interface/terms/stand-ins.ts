/** Parameters that the configuration gives where nobody names them: their keys below `service`. */
export const FROM_CONFIG = {
  code: 'orgCode',
  org_code: 'orgCode',
  domain_id: 'domainId',
} as const;

/** Parameters that are counted from the file of a form. */
export const FROM_FILE = ['file_digest', 'digest', 'file_size', 'filename'] as const;
