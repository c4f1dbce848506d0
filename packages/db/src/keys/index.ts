export { type DerivedKey, type Keyring, keyring } from './keyring.ts';
