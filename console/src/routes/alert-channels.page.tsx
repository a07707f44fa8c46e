import { getRouteApi } from '@tanstack/react-router';
import { ChannelPage } from '@/features/alert-channels/channel-page';
import { ChannelsPage } from '@/features/alert-channels/channels-page';
import { NewChannelPage } from '@/features/alert-channels/new-channel-page';

const oneRoute = getRouteApi('/shell/alerts/channels/$channelId');

export function ChannelsRoute() {
  return <ChannelsPage />;
}

export function NewChannelRoute() {
  return <NewChannelPage />;
}

export function ChannelRoute() {
  const { channelId } = oneRoute.useParams();
  return <ChannelPage key={channelId} id={channelId} />;
}
