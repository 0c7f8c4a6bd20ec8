export const ROOT = new URL('../..', import.meta.url).pathname;

/** The image that setup.ts builds by the Dockerfile. */
export const IMAGE = 'rollcall';

/** Words that build it; those that are missing are options and the folder. */
export const BUILD = 'build --format=docker --isolation=chroot --network=host'.split(' ');

/** The commit that the image is told it is made from. */
export const REVISION = '0123456789abcdef0123456789abcdef01234567';
