export class TypeSyntaxError extends Error {}

type Token = { readonly text: string; readonly quoted: boolean };

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s+|"((?:[^"]|"")+)"|([\p{L}_][\p{L}\p{N}_$]*|\p{N}+)|([<>()[\],:])/uy;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const match = pattern.exec(text);
    if (!match) throw new TypeSyntaxError(`unexpected "${text[at]}"`);
    if (match[1] !== undefined) tokens.push({ text: match[1].replaceAll('""', '"'), quoted: true });
    else if (match[2] ?? match[3]) tokens.push({ text: (match[2] ?? match[3])!, quoted: false });
  }
  return tokens;
}

/** Reads the tokens of a type in order. @throws TypeSyntaxError */
export class TypeReader {
  private at = 0;
  private readonly tokens: readonly Token[];

  constructor(text: string) {
    this.tokens = tokenize(text);
  }

  is(text: string): boolean {
    const token = this.tokens[this.at];
    return token !== undefined && !token.quoted && token.text.toLowerCase() === text;
  }

  take(text: string): boolean {
    if (!this.is(text)) return false;
    this.at += 1;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) throw new TypeSyntaxError(`expected "${text}"`);
  }

  name(): string {
    const token = this.tokens[this.at];
    if (!token || (!token.quoted && !/^[\p{L}_]/u.test(token.text))) throw new TypeSyntaxError('expected a field name');
    this.at += 1;
    return token.text;
  }

  nextToken(): string {
    const token = this.tokens[this.at];
    if (!token || token.quoted || !/^[\p{L}_]/u.test(token.text)) throw new TypeSyntaxError('expected a type name');
    this.at += 1;
    return token.text.toLowerCase();
  }

  integer(): number {
    const token = this.tokens[this.at];
    if (!token || token.quoted || !/^[0-9]{1,9}$/.test(token.text)) throw new TypeSyntaxError('expected a number');
    this.at += 1;
    return Number(token.text);
  }

  atEnd(): boolean {
    return this.at === this.tokens.length;
  }
}
