import { sessionPolicy } from './session-policy.ts';

const target = { bucket: 'lake', endpoint: 'http://s3.example', region: 'us-east-1', pathStyle: true };
const role = 'arn:aws:iam::123456789012:role/svc-tables';
const location = 's3://lake/below/tables/e/t';
const objects = 'arn:aws:s3:::lake/below/tables/e/t';
const policyOf = (access: readonly ('read' | 'write' | 'remove')[], more: object = {}) =>
  JSON.parse(sessionPolicy(target, { location, reads: null, access, role, ...more })!);

test('reading allows objects and lists of the folder', () => {
  expect(policyOf(['read'])).toEqual({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: ['s3:GetObject'], Resource: `${objects}/*` },
      {
        Effect: 'Allow',
        Action: ['s3:ListBucket'],
        Resource: 'arn:aws:s3:::lake',
        Condition: { StringLike: { 's3:prefix': 'below/tables/e/t/*' } },
      },
    ],
  });
});

test('changes never reach a metadata file (CREDENTIAL-3)', () => {
  const metadata = {
    Effect: 'Deny',
    Action: ['s3:PutObject', 's3:DeleteObject'],
    Resource: `${objects}/*.metadata.json*`,
  };
  const adding = ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'];
  const allow = (...actions: string[]) => ({ Effect: 'Allow', Action: actions, Resource: `${objects}/*` });
  expect(policyOf(['write']).Statement).toEqual([allow(...adding), metadata]);
  expect(policyOf(['remove']).Statement).toEqual([allow('s3:DeleteObject'), metadata]);
  expect(policyOf(['read', 'write', 'remove']).Statement).toEqual([
    allow('s3:GetObject', ...adding, 's3:DeleteObject'),
    expect.objectContaining({ Action: ['s3:ListBucket'] }),
    metadata,
  ]);
});

test('files around the folder are only read, if that is requested', () => {
  const { Statement } = policyOf(['read', 'write'], { location: `${location}/staged/s`, reads: location });
  expect(Statement.slice(0, 3)).toEqual([
    expect.objectContaining({ Resource: `${objects}/staged/s/*` }),
    { Effect: 'Allow', Action: ['s3:GetObject'], Resource: `${objects}/*` },
    expect.objectContaining({ Condition: { StringLike: { 's3:prefix': 'below/tables/e/t/*' } } }),
  ]);
});

test("AWS may use the operator's keys for encryption, in the partition of the role", () => {
  const china = { ...target, endpoint: null };
  const text = sessionPolicy(china, { location, reads: null, access: ['read'], role: 'arn:aws-cn:iam::1:role/svc' })!;
  const { Statement } = JSON.parse(text);
  expect(Statement[0].Resource).toBe('arn:aws-cn:s3:::lake/below/tables/e/t/*');
  expect(Statement[2]).toEqual({
    Effect: 'Allow',
    Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
    Resource: '*',
    Condition: { StringLike: { 'kms:ViaService': 's3.*' } },
  });
});

test.each([
  ['the whole bucket', 's3://lake/'],
  ['another bucket', 's3://lake2/below/t'],
  ['a wildcard', 's3://lake/below/t*'],
  ['a wildcard for a character', 's3://lake/below/t?'],
  ['a variable', 's3://lake/below/${aws:username}'],
  ['characters that a policy cannot contain', 's3://lake/below/ŧ'],
  ['a location that makes the policy too long', `s3://lake/${'x'.repeat(600)}`],
])('no policy for %s (CREDENTIAL-1)', (_name, location) => {
  expect(sessionPolicy(target, { location, reads: null, access: ['read', 'write'], role })).toBeNull();
});
