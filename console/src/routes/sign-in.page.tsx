import { getRouteApi, useRouter } from '@tanstack/react-router';
import { SignInPage } from '@/features/auth/sign-in-page';

const route = getRouteApi('/sign-in');

export function SignInRoute() {
  const { from, refused } = route.useSearch();
  const router = useRouter();
  return (
    <SignInPage
      from={from}
      refused={refused}
      onSignedIn={() => router.navigate({ href: from ?? '/', replace: true })}
    />
  );
}
