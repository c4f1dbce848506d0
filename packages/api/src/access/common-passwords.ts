import { dictionary } from '@zxcvbn-ts/language-common';

/** Common and breached passwords, in lower case. Importing this file takes some time, because they are many. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set(
  dictionary['passwords-common'].map((word) => String(word).toLowerCase()),
);
