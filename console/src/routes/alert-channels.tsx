import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from './root';

export const channelsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/channels',
  component: lazyRouteComponent(() => import('./alert-channels.page'), 'ChannelsRoute'),
});

export const newChannelRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/channels/new',
  component: lazyRouteComponent(() => import('./alert-channels.page'), 'NewChannelRoute'),
});

export const channelRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/alerts/channels/$channelId',
  component: lazyRouteComponent(() => import('./alert-channels.page'), 'ChannelRoute'),
});
