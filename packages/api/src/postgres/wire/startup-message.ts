import { MessageFields } from './message-fields.ts';
import { ProtocolError } from './protocol-error.ts';

/** The first message of a connection, which has no type. */
export type StartupMessage =
  | { readonly kind: 'ssl' | 'gss' }
  | { readonly kind: 'cancel'; readonly pid: number; readonly key: Buffer }
  | {
      readonly kind: 'start';
      /** The minor version of protocol 3 that the client requests. */
      readonly minor: number;
      readonly parameters: ReadonlyMap<string, string>;
    };

const CANCEL = 80_877_102;
const SSL = 80_877_103;
const GSS = 80_877_104;
const MAJOR_VERSION = 3;

/** @throws ProtocolError */
export function decodeStartup(body: Buffer): StartupMessage {
  const fields = new MessageFields(body);
  const code = fields.int32();
  if (code === SSL || code === GSS) {
    fields.requireEnd();
    return { kind: code === SSL ? 'ssl' : 'gss' };
  }
  if (code === CANCEL) return { kind: 'cancel', pid: fields.int32(), key: Buffer.from(fields.rest()) };
  const [major, minor] = [code >>> 16, code & 0xffff];
  if (major !== MAJOR_VERSION)
    throw new ProtocolError(`unsupported frontend protocol ${major}.${minor}: server supports 3.0`, '0A000');
  const parameters = new Map<string, string>();
  for (let name = fields.text(); name !== ''; name = fields.text()) parameters.set(name, fields.text());
  fields.requireEnd();
  return { kind: 'start', minor, parameters };
}
