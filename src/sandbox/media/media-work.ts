import { compressImage } from './compress-image.ts';
import { downloadFile, mediaInfo, viewImage } from './media-reads.ts';
import type { BytesOperation, MediaOperation } from './media-service.ts';
import { translateMedia } from './translate-media.ts';
import { uploadFile, uploadFileForm } from './upload-file.ts';
import { uploadImage, uploadImageForm } from './upload-image.ts';

/** The work of an operation that waits for files; `bytes` where the answer is no envelope. */
export interface MediaWork {
  readonly serve?: MediaOperation;
  readonly bytes?: BytesOperation;
}

/** The work of each operation of the interface's Media. */
export const MEDIA_WORK = {
  uploadImage: { serve: uploadImage },
  uploadImageForm: { serve: uploadImageForm },
  uploadFile: { serve: uploadFile },
  uploadFileForm: { serve: uploadFileForm },
  viewImage: { bytes: viewImage },
  downloadFile: { bytes: downloadFile },
  mediaInfo: { serve: mediaInfo },
  translateMedia: { serve: translateMedia },
  compressImage: { serve: compressImage },
} as const satisfies Readonly<Record<string, MediaWork>>;
