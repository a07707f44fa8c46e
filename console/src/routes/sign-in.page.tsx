import { getRouteApi, useRouter } from '@tanstack/react-router';
import { SignInPage } from '@/features/auth/sign-in-page';

const route = getRouteApi('/sign-in');

export function SignInRoute() {
  const { from } = route.useSearch();
  const router = useRouter();
  return <SignInPage onSignedIn={() => router.navigate({ href: from ?? '/', replace: true })} />;
}
