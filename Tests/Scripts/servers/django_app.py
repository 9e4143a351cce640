"""A small API made with Django REST framework: one table, three ways of paging, and a throttle.

    django_app.py PORT DATABASE COUNT
"""
import datetime
import sys

import django
from django.conf import settings

settings.configure(
    SECRET_KEY="tides", ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, USE_TZ=True, INSTALLED_APPS=[],
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": sys.argv[2]}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    REST_FRAMEWORK={
        "DEFAULT_AUTHENTICATION_CLASSES": [], "DEFAULT_PERMISSION_CLASSES": [], "UNAUTHENTICATED_USER": None,
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_THROTTLE_RATES": {"anon": "4/sec"},
    },
    CACHES={"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}})
django.setup()

import waitress  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import connection, models  # noqa: E402
from django.urls import path  # noqa: E402
from rest_framework import generics, pagination, serializers, throttling  # noqa: E402


class Boat(models.Model):
    name = models.CharField(max_length=40)
    length = models.DecimalField(max_digits=20, decimal_places=10)
    built_at = models.DateTimeField()

    class Meta:
        app_label = "harbor"


class BoatSerializer(serializers.ModelSerializer):
    class Meta:
        model = Boat
        fields = ["id", "name", "length", "built_at"]


class Pages(pagination.PageNumberPagination):
    page_size, page_size_query_param = 20, "page_size"


class Limits(pagination.LimitOffsetPagination):
    default_limit = 20


class Cursors(pagination.CursorPagination):
    page_size, ordering = 20, "built_at"


def view(style, *throttles):
    class Boats(generics.ListAPIView):
        queryset, serializer_class = Boat.objects.order_by("id"), BoatSerializer
        pagination_class, throttle_classes = style, list(throttles)
    return Boats.as_view()


urlpatterns = [
    path("pages/", view(Pages)), path("limits/", view(Limits)), path("cursors/", view(Cursors)),
    path("slow/", view(Pages, throttling.AnonRateThrottle)),
]


def fill(count):
    with connection.schema_editor() as editor:
        editor.create_model(Boat)
    start, day = datetime.datetime(2024, 1, 1, tzinfo=datetime.timezone.utc), datetime.timedelta(days=1)
    # Many are built in one moment: a cursor has to tell them apart.
    Boat.objects.bulk_create(
        Boat(name=f"boat {n} \u26f5", length=f"{n}.{n:010}", built_at=start + day * (n // 33)) for n in range(count))


if __name__ == "__main__":
    fill(int(sys.argv[3]))
    waitress.serve(get_wsgi_application(), host="127.0.0.1", port=int(sys.argv[1]), threads=2)
