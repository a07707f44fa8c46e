import { useMediaQuery } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import classes from './dependency.module.css';
import { NeighboursList } from './neighbours-list';
import { type Edge, layOutNeighbours, type Neighbours, type Node, shorten, size } from './picture';

/** The jobs around a job: a drawing, or its layers one below the other where a drawing does not fit. */
export function NeighboursPicture({ neighbours }: { neighbours: Neighbours }) {
  const isNarrow = useMediaQuery('(max-width: 760px)', false, { getInitialValueInEffect: false });
  return isNarrow ? (
    <NeighboursList neighbours={neighbours} />
  ) : (
    <Drawing neighbours={neighbours} />
  );
}

/** Upstream at the left, downstream at the right; each leads to its page. */
function Drawing({ neighbours }: { neighbours: Neighbours }) {
  const { t } = useTranslation('editor');
  const picture = layOutNeighbours(neighbours);
  return (
    <section
      className={classes.picture}
      aria-label={`${t('dep.picture')}. ${t('dep.words', {
        upstream: neighbours.upstream.length,
        downstream: neighbours.downstream.length,
      })}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: on a narrow screen it scrolls, by keyboard too
      tabIndex={0}
    >
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the section around it has the name, and each link its own */}
      <svg
        width={picture.width + 2}
        height={picture.height + 2}
        viewBox={`-1 -1 ${picture.width + 2} ${picture.height + 2}`}
      >
        {picture.edges.map((edge) => (
          <path key={edge.key} className={classes.edge} d={pathOf(edge)} />
        ))}
        {picture.nodes.map((node) => (
          <Box key={node.key} node={node} self={neighbours.self.name || t('dep.self')} />
        ))}
      </svg>
    </section>
  );
}

function pathOf({ from, to }: Edge): string {
  // Two jobs of one column are joined over its left side.
  const isSame = from.x === to.x;
  const [x1, y1] = [isSame ? from.x : from.x + size.width, from.y + size.height / 2];
  const [x2, y2] = [to.x, to.y + size.height / 2];
  const bend = isSame ? -size.gapX / 2 : (x2 - x1) / 2;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${isSame ? x2 + bend : x1 + bend} ${y2} ${x2} ${y2}`;
}

function Box({ node, self }: { node: Node; self: string }) {
  const { t } = useTranslation('editor');
  const middle = size.height / 2;
  const frame = <rect width={size.width} height={size.height} rx="5" />;
  const place = `translate(${node.x} ${node.y})`;
  if (node.job) {
    return (
      <g transform={place} className={classes.node}>
        <Link
          to="/jobs/$jobId"
          params={{ jobId: node.job.id }}
          aria-label={`${node.job.app} / ${node.job.name}`}
        >
          {frame}
          <text x="10" y={middle - 3} className={classes.app}>
            {shorten(node.job.app, 24)}
          </text>
          <text x="10" y={middle + 12}>
            {shorten(node.job.name, 20)}
          </text>
          <title>{`${node.job.app} / ${node.job.name}`}</title>
        </Link>
      </g>
    );
  }
  return (
    <g
      transform={place}
      className={classes.node}
      data-self={node.isSelf || undefined}
      data-rest={!node.isSelf || undefined}
    >
      {frame}
      <text x={size.width / 2} y={middle + 4} textAnchor="middle">
        {node.isSelf ? shorten(self, 20) : t('dep.more', { count: node.rest })}
      </text>
    </g>
  );
}
