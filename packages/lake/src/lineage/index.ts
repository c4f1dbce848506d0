export { type ColumnInput, columnInputs, type NamedColumns } from './column-inputs.ts';
