/** Calls that change the service, as the journal names them. */
export type Operation =
  | 'org.import'
  | 'org.modify'
  /** The old node of a unit that moves gets another serial number. */
  | 'org.retag'
  | 'org.delete'
  /** The picture of a logo is uploaded. */
  | 'media.upload'
  /** The old node of a moved unit is renamed out of the way, or deleted. */
  | 'org.sweep'
  | 'employee.import'
  /** Removes an old position that an import has left. */
  | 'employee.modify'
  /** Nothing is sent: the account vanished from the service. */
  | 'employee.forget'
  | 'employee.remove'
  | 'employee.disable'
  | 'employee.enable';
