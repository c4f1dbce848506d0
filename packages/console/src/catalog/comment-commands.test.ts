import { describeColumnCommand, describeNamespaceCommand, describeTableCommand } from './comment-commands.ts';

const names = { env: 'dev', namespace: 'sales', table: 'orders' };

test.each([
  [
    describeTableCommand(names, { text: "ann's orders" }),
    "svc table update sales.orders --env dev --description 'ann'\\''s orders'",
  ],
  [describeTableCommand(names, { text: null }), "svc table update sales.orders --env dev --description ''"],
  [
    describeTableCommand(names, { text: 'x', breakGlass: 'typo' }),
    'svc table update sales.orders --env dev --description x --break-glass --reason typo',
  ],
  [
    describeColumnCommand(names, 'amount', { text: 'In euros' }),
    "svc table update sales.orders --env dev --column-description 'amount=In euros'",
  ],
  [
    describeColumnCommand(names, 'a=b', { text: null }),
    `svc api PATCH environments/dev/namespaces/sales/tables/orders --body '{"column_descriptions":{"a=b":null}}'`,
  ],
  [
    describeColumnCommand(names, 'a=b', { text: 'x', breakGlass: 'typo' }),
    `svc api PATCH environments/dev/namespaces/sales/tables/orders --body '{"column_descriptions":{"a=b":"x"}}' --break-glass --reason typo`,
  ],
  [
    describeNamespaceCommand('dev', 'sales.eu', { text: 'Europe' }),
    `svc api PATCH environments/dev/namespaces/sales.eu --body '{"description":"Europe"}'`,
  ],
])('%s', (command, expected) => expect(command).toBe(expected));
