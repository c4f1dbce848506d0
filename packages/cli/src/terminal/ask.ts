// The few prompts that are used: the whole of the library would bring its editor and that one's character tables.
export { confirm, input, password } from '@inquirer/prompts';
