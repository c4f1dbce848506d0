// Only the prompts that svc uses: the whole library would also load its editor prompt and the character tables of that.
export { confirm, input, password } from '@inquirer/prompts';
