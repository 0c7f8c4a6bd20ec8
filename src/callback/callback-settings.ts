import type { ApprovalCallback } from '../domain/settings.ts';
import type { CallbackSettings } from './open-callback.ts';

/** Returns how callbacks are opened with the configuration. */
export function callbackSettings(configured: ApprovalCallback): CallbackSettings {
  const { token, mode, wantsSha256, key, applicationId, cipher } = configured;
  const isGiven = key !== undefined && applicationId !== undefined;
  return {
    token,
    modes: [mode],
    wantsSha256,
    cipher: isGiven ? { ...cipher, aesKey: key, applicationId } : undefined,
  };
}
