type Names = Readonly<Record<string, string>>;

/**
 * How a client returns a list: the rows of its first page, one page with the cursor of the next, an iterator over all
 * rows, or all rows at once.
 */
export type ListForm = 'first' | 'page' | 'iterate' | 'all';

interface Parameters {
  /** Fields of query and body that follow the path's parameters (default: none). */
  positional?: readonly string[];
  /** Fields that the method doesn't take. */
  without?: readonly string[];
  /** The method of each form of a list (default: all forms of a list with pages). */
  lists?: Readonly<Partial<Record<ListForm, string>>>;
}

interface TypeScriptMethod extends Parameters {
  /** The parameter that contains the other fields (default: `body` of a PATCH, otherwise the options contain them). */
  object?: string;
  /** The exported type of those fields (default: none, the signature lists them). */
  type?: string;
  /** Whether these fields can also be written in camel case. */
  camelCase?: true;
}

interface PythonMethod extends Parameters {
  /** Default values other than the contract's. */
  defaults?: Readonly<Record<string, unknown>>;
}

/**
 * The method of both clients that passes its parameters to the endpoint. The contract's schemas determine everything
 * that isn't listed here: types, records, and which parameters are optional.
 */
export interface ClientMethod extends Parameters {
  /** `<resource>.<method>` as in TypeScript (default: the endpoint's id). */
  name?: string;
  /** Documentation after the endpoint's summary, with wire names and `null` in backticks. */
  notes?: string;
  /** The method's names of parameters of the path. */
  path?: Names;
  /** The method's names of fields. */
  fields?: Names;
  /** Groups of fields of which a call sets exactly one. Python raises a TypeError before any request. */
  exactlyOne?: readonly (readonly string[])[];
  /** Whether the method takes the reason for a change in a protected environment. */
  breakGlass?: true;
  /** Only what differs in that client; false if it has no such method or a handwritten one. */
  typescript?: TypeScriptMethod | false;
  python?: PythonMethod | false;
}
