import { useLocation, useRouter } from '@tanstack/react-router';
import { WelcomePage } from '@/features/auth/welcome-page';

export function WelcomeRoute() {
  const router = useRouter();
  const hash = useLocation({ select: (location) => location.hash });
  const token = new URLSearchParams(hash).get('token');
  return (
    <WelcomePage token={token} onSignedIn={() => router.navigate({ to: '/', replace: true })} />
  );
}
