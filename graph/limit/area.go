package limit

import (
	"path"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// The areas of the API to which tokens can be limited, by the files of the schema: what a
// file declares belongs to one area. 0: everybody may read it who may ask at all.
var fileAreas = map[string]models.Area{
	"account.graphqls": models.AreaAdministration, "second_factor.graphqls": models.AreaAdministration, "alert.graphqls": models.AreaAlerts, "app.graphqls": models.AreaAdministration,
	"audit.graphqls": models.AreaAdministration, "backfill.graphqls": models.AreaTasks, "base.graphqls": 0, "bulk.graphqls": models.AreaTasks,
	"calendar.graphqls": models.AreaJobs, "channel.graphqls": models.AreaAlerts, "job.graphqls": models.AreaJobs,
	"node.graphqls": models.AreaNodes, "notification.graphqls": models.AreaAlerts, "overview.graphqls": models.AreaReports,
	"report.graphqls": models.AreaReports, "revision.graphqls": models.AreaJobs, "security.graphqls": models.AreaAdministration,
	"server.graphqls": models.AreaNodes, "task.graphqls": models.AreaTasks, "why.graphqls": models.AreaJobs, "workflow.graphqls": models.AreaJobs,
}

// ownAreas are the areas of root fields and types that differ from their file's. The name
// and the description of an app are no secret of its administrators; which keys it has is.
var ownAreas = map[string]models.Area{
	"Query.app": 0, "Query.apps": 0, "App": 0, "AppRole": 0,
	"Query.sessions": 0, "Mutation.endSession": 0, "Session": 0, "SessionPayload": 0, // one's own
	"Subscription.jobChanged": models.AreaJobs, "Subscription.nodeChanged": models.AreaNodes,
	"Subscription.overviewChanged": models.AreaReports, "Subscription.taskChanged": models.AreaTasks,
	"Subscription.taskLog": models.AreaLogs, "Subscription.taskLogParts": models.AreaLogs,
	"TaskLogConnection": models.AreaLogs, "TaskLogLine": models.AreaLogs, "TaskLogPart": models.AreaLogs, "TaskLogSearch": models.AreaLogs,
	"Mutation.triggerJob": models.AreaTasks,
	"Routing":             0, // a part of jobs and of groups
	"Query":               0, "Mutation": 0, "Subscription": 0,
}

// areaOf is the area of what stands at a place of the schema, by its name and its file.
func areaOf(name string, at *ast.Position) (models.Area, error) {
	if area, own := ownAreas[name]; own {
		return area, nil
	}
	if at == nil || at.Src == nil || at.Src.BuiltIn {
		return 0, nil
	}
	area, known := fileAreas[path.Base(at.Src.Name)]
	if !known {
		return 0, fault.New(fault.Forbidden, "%s stands in %s, which belongs to no area that tokens can be limited to.", name, path.Base(at.Src.Name))
	}
	return area, nil
}

// scope is what a root field asks of tokens that are limited.
func scope(object string, f *ast.FieldDefinition) (models.Scope, error) {
	area, err := areaOf(object+"."+f.Name, f.Position)
	if object == "Mutation" {
		return area.Write(), err
	}
	return area.Read(), err
}

// nested are the areas that an operation reads in beside those of its root fields: what a
// change answers of its own area is part of the change.
func nested(set ast.SelectionSet) (map[models.Area]bool, error) {
	found := map[models.Area]bool{}
	type place struct {
		fragment *ast.FragmentDefinition
		own      models.Area
	}
	seen := map[place]bool{} // a text may spread a fragment very often
	var walk func(set ast.SelectionSet, own models.Area, root bool) error
	walk = func(set ast.SelectionSet, own models.Area, root bool) error {
		for _, selection := range set {
			var err error
			switch s := selection.(type) {
			case *ast.Field:
				err = visit(s, own, root, found, walk)
			case *ast.InlineFragment:
				err = walk(s.SelectionSet, own, root)
			case *ast.FragmentSpread:
				if at := (place{s.Definition, own}); s.Definition != nil && !seen[at] {
					seen[at] = true
					err = walk(s.Definition.SelectionSet, own, root)
				}
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return found, walk(set, 0, true)
}

// visit notes the area of the object that a field is read of, and walks on.
func visit(f *ast.Field, own models.Area, root bool, found map[models.Area]bool, walk func(ast.SelectionSet, models.Area, bool) error) error {
	if f.ObjectDefinition == nil || f.Definition == nil {
		return nil
	}
	if root {
		area, err := areaOf(f.ObjectDefinition.Name+"."+f.Name, f.Definition.Position)
		if err != nil {
			return err
		}
		return walk(f.SelectionSet, area, false)
	}
	area, err := areaOf(f.ObjectDefinition.Name, f.ObjectDefinition.Position)
	if err != nil {
		return err
	}
	if area != 0 && area != own {
		found[area] = true
	}
	return walk(f.SelectionSet, own, false)
}
