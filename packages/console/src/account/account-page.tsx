import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { UserMenu } from '../app/user-menu.tsx';
import { PageHeader } from '../design/page-header.tsx';
import { Empty } from '../design/states.tsx';
import { useTitle } from '../design/use-title.ts';
import { sessionQuery, signInOptionsQuery } from '../session/session.ts';
import { svcCommand } from '../text/commands.ts';
import './account.css';
import { PasswordCard } from './password-card.tsx';
import { SecondFactorsCard } from './second-factors-card.tsx';

/** The password and the second factors of the signed-in person; also what a session must do before anything else. */
export function AccountPage() {
  useTitle('Account');
  const { limit = null, has_password = true } = useQuery(sessionQuery).data ?? {};
  const passwords = useQuery(signInOptionsQuery).data?.passwords ?? true;
  return (
    <main className="content account-page">
      <div className="page">
        <PageHeader
          title="Account"
          actions={
            <>
              {limit === null ? (
                <Link to="/" className="button">
                  Back to the console
                </Link>
              ) : null}
              <UserMenu />
            </>
          }
          command={svcCommand('auth status', null, {})}
        />
        {passwords && has_password ? (
          <>
            {limit === 'add-second-factor' ? null : <PasswordCard isRequired={limit === 'change-password'} />}
            {limit === 'change-password' ? null : <SecondFactorsCard />}
          </>
        ) : (
          <Empty icon="key" title="You have no password here">
            You sign in with an identity provider. It has your password and your second factors.
          </Empty>
        )}
      </div>
    </main>
  );
}
