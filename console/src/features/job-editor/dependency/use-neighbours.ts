import { useEffect, useState } from 'react';
import { useClient, useQuery } from 'urql';
import type { NeighbourFragment } from '@/graphql/generated/graphql';
import type { UpstreamJob } from '../form';
import { DownstreamNeighboursQuery, UpstreamNeighboursQuery } from '../queries';
import type { Neighbours, PictureJob } from './picture';

const pictureJob = (job: NeighbourFragment): PictureJob => ({
  id: job.id,
  name: job.name,
  app: job.app.name,
});

/** The jobs around one that waits for `upstream`: what those wait for, and who waits for it. */
export function useNeighbours(
  self: Neighbours['self'],
  upstream: readonly UpstreamJob[],
): Neighbours {
  const far = useFarUpstream(upstream);
  const [down] = useQuery({
    query: DownstreamNeighboursQuery,
    variables: { id: self.id ?? '' },
    pause: self.id === null,
  });
  return {
    self,
    upstream: upstream.map((job) => ({ ...job, upstream: far.get(job.id) ?? [] })),
    downstream: (down.data?.job?.downstream ?? []).map((job) => ({
      ...pictureJob(job),
      downstream: job.downstream.map(pictureJob),
    })),
  };
}

/** What each of the chosen jobs waits for itself; asked for once a job. */
function useFarUpstream(upstream: readonly UpstreamJob[]): ReadonlyMap<string, PictureJob[]> {
  const client = useClient();
  const [known, setKnown] = useState<ReadonlyMap<string, PictureJob[]>>(new Map());
  const ids = upstream.map((job) => job.id).join(' ');
  useEffect(() => {
    let gone = false;
    const ask = async (id: string) => {
      const { data } = await client.query(UpstreamNeighboursQuery, { id }).toPromise();
      if (gone || !data) return;
      const jobs = data.job?.trigger.upstream?.map((up) => pictureJob(up.job)) ?? [];
      setKnown((old) => new Map(old).set(id, jobs));
    };
    for (const id of ids.split(' ')) if (id !== '') void ask(id);
    return () => {
      gone = true;
    };
  }, [ids, client]);
  return known;
}
